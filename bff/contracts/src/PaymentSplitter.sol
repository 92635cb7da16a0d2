// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IPaymentSplitter} from "./IPaymentSplitter.sol";
import {PaymentDetails} from "./PaymentDetails.sol";

/// @dev The function of ERC-3009 that is used, in both forms: only its payee may bring the authorization.
interface IERC3009 {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @dev The function of Permit2 that is used: the caller is the spender that was signed for, and brings a witness that was signed too.
interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// @title The payment splitter
/// @dev Only the caller's tokens are pulled, or those whose owner signed an authorization over these very terms.
/// One guard covers every door, so that no balance that is being measured moves by another payment.
contract PaymentSplitter is IPaymentSplitter, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    uint256 private constant BPS = 10_000;

    /// @dev At the same address on every chain that it is on.
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    bytes32 private constant TERMS_TYPE_HASH = keccak256("PaymentTerms(bytes32 termsHash)");
    bytes32 private constant DEPOSIT_TYPE_HASH = keccak256("Deposit(address depositAddress)");
    /// @dev The end of the type that is signed (EIP-712): the witness, and the structs in the order of their names.
    string private constant TERMS_WITNESS =
        "PaymentTerms witness)PaymentTerms(bytes32 termsHash)TokenPermissions(address token,uint256 amount)";
    string private constant DEPOSIT_WITNESS =
        "Deposit witness)Deposit(address depositAddress)TokenPermissions(address token,uint256 amount)";

    /// @dev 1 when paid. A whole word, which need not be read again to be written.
    mapping(bytes32 termsHash => uint256) private _marks;
    /// @inheritdoc IPaymentSplitter
    mapping(address token => mapping(address recipient => uint256)) public parked;

    /// @inheritdoc IPaymentSplitter
    function isPaid(bytes32 hash) external view returns (bool) {
        return _marks[hash] > 0;
    }

    /// @inheritdoc IPaymentSplitter
    function splitPayment(PaymentDetails calldata details) external nonReentrant {
        _splitFromCaller(details);
    }

    /// @inheritdoc IPaymentSplitter
    function splitPaymentBefore(PaymentDetails calldata details, uint256 deadline) external nonReentrant {
        _checkDeadline(deadline);
        _splitFromCaller(details);
    }

    /// @inheritdoc IPaymentSplitter
    function splitPaymentWithPermit(PaymentDetails calldata details, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        nonReentrant
    {
        _checkDeadline(deadline);
        // A permit is public once sent, and anybody may use it first: the allowance is then there all the same.
        try IERC20Permit(details.token).permit(msg.sender, address(this), details.amount, deadline, v, r, s) {} catch {}
        _splitFromCaller(details);
    }

    /// @inheritdoc IPaymentSplitter
    function splitPaymentWithAuthorization(
        PaymentDetails calldata details,
        address payer,
        uint256 validAfter,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant {
        _checkDeadline(deadline);
        bytes32 hash = _markPaid(details);
        address token = details.token;
        uint256 before = SafeTransferLib.balanceOf(token, address(this));
        IERC3009(token)
            .receiveWithAuthorization(payer, address(this), details.amount, validAfter, deadline, hash, v, r, s);
        _splitReceived(details, payer, hash, before);
    }

    /// @inheritdoc IPaymentSplitter
    function splitPaymentWithSignature(
        PaymentDetails calldata details,
        address payer,
        uint256 validAfter,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant {
        _checkDeadline(deadline);
        bytes32 hash = _markPaid(details);
        address token = details.token;
        uint256 before = SafeTransferLib.balanceOf(token, address(this));
        IERC3009(token)
            .receiveWithAuthorization(payer, address(this), details.amount, validAfter, deadline, hash, signature);
        _splitReceived(details, payer, hash, before);
    }

    /// @inheritdoc IPaymentSplitter
    function splitPaymentWithPermit2(
        PaymentDetails calldata details,
        address payer,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant {
        _checkDeadline(deadline);
        bytes32 hash = _markPaid(details);
        address token = details.token;
        uint256 before = SafeTransferLib.balanceOf(token, address(this));
        _takeByPermit2(
            _permitOf(token, details.amount, uint256(hash), deadline),
            address(this),
            payer,
            keccak256(abi.encode(TERMS_TYPE_HASH, hash)),
            TERMS_WITNESS,
            signature
        );
        _splitReceived(details, payer, hash, before);
    }

    /// @inheritdoc IPaymentSplitter
    /// @dev Straight from the payer to the deposit address: nothing of it is ever here.
    function payDepositWithPermit2(
        address token,
        address depositAddress,
        uint256 amount,
        address payer,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant {
        _checkDeadline(deadline);
        if (amount == 0) revert AmountMustBeGreaterThanZero();
        _checkRecipient(depositAddress, token);
        _takeByPermit2(
            _permitOf(token, amount, nonce, deadline),
            depositAddress,
            payer,
            keccak256(abi.encode(DEPOSIT_TYPE_HASH, depositAddress)),
            DEPOSIT_WITNESS,
            signature
        );
    }

    /// @inheritdoc IPaymentSplitter
    function payParked(address token, address recipient) external nonReentrant {
        uint256 amount = parked[token][recipient];
        if (amount == 0) revert NothingParked(token, recipient);
        parked[token][recipient] = 0;
        emit ParkedPaid(token, recipient, amount);
        IERC20(token).safeTransfer(recipient, amount);
    }

    /// @inheritdoc IPaymentSplitter
    /// @dev At half the gas: calldata has that layout already, with an offset where the id's hash goes. Bits beyond a
    /// field's type would make another hash, and paying with such a field reverts.
    function termsHash(PaymentDetails calldata details) public view returns (bytes32 hash) {
        bytes32 id = keccak256(bytes(details.paymentId));
        assembly ("memory-safe") {
            let encoded := mload(0x40)
            mstore(encoded, chainid())
            mstore(add(encoded, 0x20), address())
            calldatacopy(add(encoded, 0x40), details, 0x120)
            mstore(add(encoded, 0x80), id)
            hash := keccak256(encoded, 0x160)
        }
    }

    function _permitOf(address token, uint256 amount, uint256 nonce, uint256 deadline)
        private
        pure
        returns (IPermit2.PermitTransferFrom memory)
    {
        return IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(token, amount), nonce, deadline);
    }

    /// @dev All that was permitted. Permit2 takes this contract for the spender that was signed for, because it is the caller.
    function _takeByPermit2(
        IPermit2.PermitTransferFrom memory permit,
        address to,
        address payer,
        bytes32 witness,
        string memory witnessType,
        bytes calldata signature
    ) private {
        IPermit2.SignatureTransferDetails memory moved =
            IPermit2.SignatureTransferDetails(to, permit.permitted.amount);
        PERMIT2.permitWitnessTransferFrom(permit, moved, payer, witness, witnessType, signature);
    }

    function _splitFromCaller(PaymentDetails calldata details) private {
        bytes32 hash = _markPaid(details);
        (uint256 received,) = _split(details, msg.sender, details.amount);
        _announce(details, msg.sender, hash, received);
    }

    /// @dev What the payer's authorization has brought here, and nothing else.
    /// @param before This contract's balance before the authorization was used
    function _splitReceived(PaymentDetails calldata details, address payer, bytes32 hash, uint256 before) private {
        address token = details.token;
        uint256 total = _growth(token, address(this), before, details.amount);
        (uint256 received, uint256 kept) = _split(details, address(this), total);
        // A token that takes more than it was told to must not take it from shares that are parked here.
        uint256 left = SafeTransferLib.balanceOf(token, address(this));
        if (left < before + kept) revert ParkedMoved(token, before + kept, left);
        _announce(details, payer, hash, received);
    }

    /// @dev Before any token is called, so that the same terms cannot be paid from within.
    function _markPaid(PaymentDetails calldata details) private returns (bytes32 hash) {
        _checkTerms(details);
        hash = termsHash(details);
        if (_marks[hash] > 0) revert PaymentIdAlreadyUsed(hash);
        _marks[hash] = 1;
    }

    /// @dev Straight from payer to recipients where it can be: cheaper, and a token with a fee takes it once.
    /// @param from Who pays, or this contract when the payer's authorization has brought the money here
    /// @param total To be divided, in base units
    /// @return received By how much the recipients' balances grew, parked shares included
    /// @return kept Parked by this payment
    function _split(PaymentDetails calldata details, address from, uint256 total)
        private
        returns (uint256 received, uint256 kept)
    {
        address token = details.token;
        uint256 share2 = total * details.recipient2Percentage / BPS;
        uint256 share3 = total * details.recipient3Percentage / BPS;
        // The two are at most the whole, and what arrives is at most the share.
        unchecked {
            received = _pay(token, from, details.recipient1, total - share2 - share3);
            if (share2 > 0) {
                (uint256 arrived, uint256 parkedShare) = _payOrPark(token, from, details.recipient2, share2);
                received += arrived;
                kept = parkedShare;
            }
            if (share3 > 0) {
                (uint256 arrived, uint256 parkedShare) = _payOrPark(token, from, details.recipient3, share3);
                received += arrived;
                kept += parkedShare;
            }
        }
        if (received == 0) revert NothingReceived(token);
    }

    function _pay(address token, address from, address to, uint256 share) private returns (uint256) {
        if (share == 0) return 0;
        uint256 before = SafeTransferLib.balanceOf(token, to);
        if (from == address(this)) IERC20(token).safeTransfer(to, share);
        else IERC20(token).safeTransferFrom(from, to, share);
        return from == to ? share : _growth(token, to, before, share);
    }

    /// @dev A recipient who cannot be paid must not keep the merchant from the money. A caller cannot force this by giving
    /// little gas: the transfer gets 63 of 64 parts, and what is left must still pay for the parking.
    /// @return arrived By how much the recipient's balance grew, or what was parked
    /// @return parkedShare What was parked
    function _payOrPark(address token, address from, address to, uint256 share)
        private
        returns (uint256 arrived, uint256 parkedShare)
    {
        uint256 before = SafeTransferLib.balanceOf(token, to);
        bool isOurs = from == address(this);
        if (isOurs ? IERC20(token).trySafeTransfer(to, share) : IERC20(token).trySafeTransferFrom(from, to, share)) {
            return (from == to ? share : _growth(token, to, before, share), 0);
        }
        parkedShare = isOurs ? share : _pay(token, from, address(this), share);
        parked[token][to] += parkedShare;
        emit ShareParked(token, to, parkedShare);
        arrived = parkedShare;
    }

    /// @dev A balance that also grew by other means does not make a payment larger than it is.
    function _growth(address token, address account, uint256 before, uint256 max) private view returns (uint256) {
        uint256 grown = SafeTransferLib.balanceOf(token, account) - before;
        return grown < max ? grown : max;
    }

    function _announce(PaymentDetails calldata details, address payer, bytes32 hash, uint256 received) private {
        emit PaymentSplit(
            payer,
            hash,
            details.token,
            received,
            details.paymentId,
            details.amount,
            details.recipient1,
            details.recipient2,
            details.recipient3,
            details.recipient1Percentage,
            details.recipient2Percentage,
            details.recipient3Percentage
        );
    }

    function _checkDeadline(uint256 deadline) private view {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
    }

    function _checkTerms(PaymentDetails calldata details) private view {
        if (details.amount == 0) revert AmountMustBeGreaterThanZero();
        (uint256 share1, uint256 share2, uint256 share3) =
            (details.recipient1Percentage, details.recipient2Percentage, details.recipient3Percentage);
        // By what is left, because a sum can wrap around.
        if (share2 > BPS || share3 > BPS - share2 || share1 != BPS - share2 - share3) {
            revert PercentagesMustEqual100Percent(share1, share2, share3);
        }
        address token = details.token;
        _checkRecipient(details.recipient1, token);
        if (share2 > 0) _checkRecipient(details.recipient2, token);
        if (share3 > 0) _checkRecipient(details.recipient3, token);
    }

    /// @dev Money at the token's address or at this one would be nobody's.
    function _checkRecipient(address recipient, address token) private view {
        if (recipient == address(0) || recipient == token || recipient == address(this)) {
            revert InvalidRecipient(recipient);
        }
    }
}
