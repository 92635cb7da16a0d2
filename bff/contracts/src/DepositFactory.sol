// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {LibCall} from "solady/src/utils/LibCall.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {DepositForwarder} from "./DepositForwarder.sol";
import {Terms} from "./Terms.sol";

/// @title Deposit addresses, their settlement and their refunds
/// @notice A deposit address is the CREATE2 address whose salt is the hash of the terms: knowing the terms is enough to
/// compute it, and nobody can put a contract with other terms there. There is no owner, no upgrade and no other call.
/// @dev Every door deploys the forwarder and acts on it in one step, so that a deployed forwarder is a settled one unless
/// it says otherwise. One guard here covers all forwarders, because they listen to nobody else: a hostile token that
/// calls back finds every door shut.
contract DepositFactory is ReentrancyGuard {
    /// @notice An item of a batch was left as it was. `reason` is its revert data, cut off after `REASON_MAX` bytes.
    event SettleSkipped(address indexed forwarder, bytes reason);

    error BadTerms();
    error NotOperator(address caller, address operator);
    error NotFactory(address caller);
    error NotDeployed(address forwarder);
    error BatchTooLong(uint256 length, uint256 max);

    /// @notice Deposits in one batch: about 11 million gas, below the 16.7 million that EIP-7825 allows a transaction.
    uint256 public constant BATCH_MAX = 200;
    /// @notice Gas for one item of a batch, several times what a settlement takes, so that a hostile token cannot burn the rest's.
    uint256 public constant ITEM_GAS_MAX = 500_000;
    /// @notice Bytes kept of a revert: a selector and five words, which holds the text that USDC and USDT give.
    uint16 public constant REASON_MAX = 164;

    uint256 private constant BPS = 10_000;

    /// @notice The code that every deposit address runs.
    address public immutable implementation = address(new DepositForwarder());
    /// @notice Hash of the init code that deploys a forwarder.
    bytes32 public immutable cloneInitCodeHash = LibClone.initCodeHash_PUSH0(implementation);

    /// @notice The deposit address of these terms, deployed or not.
    /// @dev Malformed terms have no address, so nobody is ever asked to send money to one that no door would open.
    function forwarderOf(Terms calldata terms) public view returns (address) {
        return _addressOf(_saltOf(terms));
    }

    /// @notice Pays a covered deposit to its merchant and platform. Anyone may call.
    function settle(Terms calldata terms) external nonReentrant {
        _settle(terms);
    }

    /// @notice Settles what can be settled; the rest is left as it was and named in an event. Anyone may call.
    function settleMany(Terms[] calldata batch) external nonReentrant {
        if (batch.length > BATCH_MAX) revert BatchTooLong(batch.length, BATCH_MAX);
        for (uint256 i = 0; i < batch.length; ++i) {
            (bool isSettled,, bytes memory reason) =
                LibCall.tryCall(address(this), 0, ITEM_GAS_MAX, REASON_MAX, abi.encodeCall(this.settleItem, (batch[i])));
            if (!isSettled) emit SettleSkipped(_addressOf(_hash(batch[i])), reason);
        }
    }

    /// @notice One item of `settleMany`: a call of its own, so that all of it is undone when any of it fails.
    function settleItem(Terms calldata terms) external {
        if (msg.sender != address(this)) revert NotFactory(msg.sender);
        _settle(terms);
    }

    /// @notice Pays the platform a share that its wallet refused at settlement. Anyone may call.
    function payParked(Terms calldata terms) external nonReentrant {
        address forwarder = forwarderOf(terms);
        if (forwarder.code.length == 0) revert NotDeployed(forwarder);
        DepositForwarder(payable(forwarder)).payParked(terms);
    }

    /// @notice Returns money that is neither the merchant's nor the platform's. Only the terms' operator may call.
    /// @param token What to return; zero is the chain's own coin
    /// @param amount In base units of `token`
    function refund(Terms calldata terms, address token, address to, uint256 amount) external nonReentrant {
        if (msg.sender != terms.operator) revert NotOperator(msg.sender, terms.operator);
        (DepositForwarder forwarder, bool isNew) = _deployed(terms);
        forwarder.refund(terms, isNew, token, to, amount);
    }

    function _settle(Terms calldata terms) private {
        (DepositForwarder forwarder, bool isNew) = _deployed(terms);
        forwarder.settle(terms, isNew);
    }

    /// @dev The forwarder of these terms, deployed now if it was not. Asking first costs 2,600 gas and is needed: a CREATE2
    /// onto existing code burns all its gas, so a stranger who settles one item would spoil the batch.
    function _deployed(Terms calldata terms) private returns (DepositForwarder, bool isNew) {
        bytes32 salt = _saltOf(terms);
        address forwarder = _addressOf(salt);
        isNew = forwarder.code.length == 0;
        if (isNew) LibClone.cloneDeterministic_PUSH0(implementation, salt);
        return (DepositForwarder(payable(forwarder)), isNew);
    }

    function _addressOf(bytes32 salt) private view returns (address) {
        return LibClone.predictDeterministicAddress(cloneInitCodeHash, salt, address(this));
    }

    /// @dev Refuses terms that no honest service makes: a free or unreachable least, a fee above the whole, a missing wallet.
    function _saltOf(Terms calldata terms) private pure returns (bytes32) {
        if (terms.least == 0 || terms.least > terms.amount || terms.feeBps > BPS) revert BadTerms();
        if (terms.token == address(0) || terms.merchant == address(0) || terms.operator == address(0)) revert BadTerms();
        if (terms.platform == address(0) && terms.feeBps > 0) revert BadTerms();
        return _hash(terms);
    }

    function _hash(Terms calldata terms) private pure returns (bytes32) {
        return keccak256(abi.encode(terms));
    }
}
