// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {Terms} from "./Terms.sol";

/// @title The contract at a deposit address
/// @notice Pays merchant and platform, and returns to payers only what is neither's.
/// @dev A clone of this code is deployed by the first settlement or refund. It stores nothing in the common case:
/// deployed means settled. Only the rare cases write, `isOpen` when a refund had to deploy a deposit that is not
/// settled yet, `parked` when the platform's wallet refused its share.
/// The factory is the only caller. It derives this address from the very terms it acts on and holds the guard against
/// reentry, so what it says here is always about this deposit, and no call happens inside another.
contract DepositForwarder {
    using SafeERC20 for IERC20;

    /// @notice The merchant's and the platform's shares at settlement, in base units of the terms' token.
    event Settled(uint256 merchantAmount, uint256 platformAmount);
    /// @notice The platform's wallet refused its share, which waits here for `payParked`.
    event PlatformShareParked(address indexed token, uint256 amount);
    /// @notice A parked share has reached the platform.
    event PlatformSharePaid(address indexed token, uint256 amount);
    /// @notice Money went back; `token` zero is the chain's own coin.
    event Refunded(address indexed token, address indexed to, uint256 amount);

    error NotFactory(address caller);
    error AlreadySettled(address forwarder);
    error NothingParked(address forwarder);
    error BadRefundRecipient(address to);
    error NotRefundable(address token, uint256 amount, uint256 refundable);
    error DueTokenMoved(uint256 kept, uint256 left);
    error CoinsRefused(address to, uint256 gasMax);

    /// @notice Gas that a recipient of coins may use: several times what a Safe, or a forwarder of an exchange, takes, and less
    /// than the rest of a refund, so that a recipient who burns it cannot make the operator pay for more.
    uint256 public constant COIN_GAS_MAX = 50_000;

    address private immutable FACTORY = msg.sender;

    /// @notice True when this contract was deployed by a refund and the deposit can still be settled.
    bool public isOpen;
    /// @notice The platform's share that its wallet refused, in base units of the due token.
    uint128 public parked;

    modifier onlyFactory() {
        if (msg.sender != FACTORY) revert NotFactory(msg.sender);
        _;
    }

    /// @notice Takes the chain's own coin, which the operator can return.
    receive() external payable {}

    /// @notice Ends an open deposit, so that it is settled once. Only a forwarder that a refund has deployed can be open.
    function close() external onlyFactory {
        if (!isOpen) revert AlreadySettled(address(this));
        isOpen = false;
    }

    /// @notice Pays platform and merchant their shares.
    /// @dev A platform that cannot be paid must not keep the merchant from the money, so its leg may fail; the merchant's may not.
    /// @param platformAmount In base units of `token`, as `merchantAmount`; the factory has checked that both are here
    function settle(address token, address merchant, uint256 merchantAmount, address platform, uint128 platformAmount)
        external
        onlyFactory
    {
        emit Settled(merchantAmount, platformAmount);
        if (platformAmount > 0 && !IERC20(token).trySafeTransfer(platform, platformAmount)) {
            parked = platformAmount;
            emit PlatformShareParked(token, platformAmount);
        }
        if (merchantAmount > 0) IERC20(token).safeTransfer(merchant, merchantAmount);
    }

    /// @notice Pays the platform the share that its wallet refused at settlement.
    function payParked(address token, address platform) external onlyFactory {
        uint256 amount = parked;
        if (amount == 0) revert NothingParked(address(this));
        parked = 0;
        emit PlatformSharePaid(token, amount);
        IERC20(token).safeTransfer(platform, amount);
    }

    /// @notice Returns money that is neither the merchant's nor the platform's.
    /// @param isNew Whether the factory has deployed this contract for this very call
    /// @param token What to return; zero is the chain's own coin
    /// @param amount In base units of `token`
    function refund(Terms calldata terms, bool isNew, address token, address to, uint256 amount) external onlyFactory {
        if (to == address(0) || to == address(this) || to == FACTORY || to == token || to == terms.token) {
            revert BadRefundRecipient(to);
        }
        if (isNew) isOpen = true;

        uint256 due = SafeTransferLib.balanceOf(terms.token, address(this));
        uint256 refundableDue = _refundableDue(terms, due);
        uint256 refundable = token == terms.token ? refundableDue : _balanceOf(token);
        if (amount == 0 || amount > refundable) revert NotRefundable(token, amount, refundable);

        emit Refunded(token, to, amount);
        if (token != address(0)) IERC20(token).safeTransfer(to, amount);
        else if (!SafeTransferLib.trySafeTransferETH(to, amount, COIN_GAS_MAX)) revert CoinsRefused(to, COIN_GAS_MAX);

        // Some tokens answer at two addresses or charge the sender a fee, and on some chains the coin itself is a token:
        // what is the merchant's or the platform's must not leave by another name.
        uint256 left = SafeTransferLib.balanceOf(terms.token, address(this));
        if (left < due - refundableDue) revert DueTokenMoved(due - refundableDue, left);
    }

    /// @dev On another chain nothing was asked for, so all of it. Settled: all but the platform's parked share. Open: what
    /// exceeds the amount due, or all of a payment that stayed short past its deadline. That does not close the deposit,
    /// or a stolen operator key could close expired ones and take what arrives late.
    function _refundableDue(Terms calldata terms, uint256 balance) private view returns (uint256) {
        if (block.chainid != terms.chainId) return balance;
        if (!isOpen) return balance > parked ? balance - parked : 0;
        if (balance > terms.amount) return balance - terms.amount;
        return balance < terms.least && block.timestamp > terms.deadline ? balance : 0;
    }

    function _balanceOf(address token) private view returns (uint256) {
        return token == address(0) ? address(this).balance : SafeTransferLib.balanceOf(token, address(this));
    }
}
