// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentDetails} from "./PaymentDetails.sol";

/// @title Payments that reach merchant and platform in the payer's own transaction
/// @notice The payer's tokens go to the recipients of the terms and nowhere else. What is marked as paid is the hash of all
/// terms: a call under a payment's id with other recipients or another amount is another payment, and blocks nothing.
/// There is no owner, no upgrade and no other call.
interface IPaymentSplitter {
    /// @notice A payment was made. `termsHash` is all that must be compared: it stands for every term, this chain and this contract.
    /// @param received By how much the recipients' balances grew, parked shares included, in base units of `token`: `amount`,
    /// unless the token charges a fee
    event PaymentSplit(
        address indexed payer,
        bytes32 indexed termsHash,
        address indexed token,
        uint256 received,
        string paymentId,
        uint256 amount,
        address recipient1,
        address recipient2,
        address recipient3,
        uint256 recipient1Percentage,
        uint256 recipient2Percentage,
        uint256 recipient3Percentage
    );
    /// @notice The token refused to pay this recipient, whose share waits here for `payParked`.
    event ShareParked(address indexed token, address indexed recipient, uint256 amount);
    /// @notice Parked shares have reached their recipient.
    event ParkedPaid(address indexed token, address indexed recipient, uint256 amount);

    error PaymentIdAlreadyUsed(bytes32 termsHash);
    error DeadlinePassed(uint256 deadline, uint256 timestamp);
    error AmountMustBeGreaterThanZero();
    error PercentagesMustEqual100Percent(uint256 percentage1, uint256 percentage2, uint256 percentage3);
    error InvalidRecipient(address recipient);
    error NothingReceived(address token);
    error NothingParked(address token, address recipient);
    error ParkedMoved(address token, uint256 kept, uint256 left);

    /// @notice Whether the terms with this hash have been paid.
    function isPaid(bytes32 hash) external view returns (bool);

    /// @notice Shares that a token would not pay to their recipient, in base units of that token.
    function parked(address token, address recipient) external view returns (uint256);

    /// @notice What stands for these terms on this chain:
    /// `keccak256(abi.encode(chainid, this, token, amount, keccak256(bytes(paymentId)), recipient1, …, recipient3Percentage))`.
    function termsHash(PaymentDetails calldata details) external view returns (bytes32);

    /// @notice Pays with the caller's tokens, which must be approved.
    function splitPayment(PaymentDetails calldata details) external;

    /// @notice Pays with the caller's tokens, but not after the payment has expired.
    /// @param deadline Unix seconds; the last second in which the payment may be made
    function splitPaymentBefore(PaymentDetails calldata details, uint256 deadline) external;

    /// @notice Pays with the caller's tokens, approved by an ERC-2612 signature over exactly the amount.
    /// @param deadline Unix seconds, of the permit too
    function splitPaymentWithPermit(PaymentDetails calldata details, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;

    /// @notice Pays with the tokens of `payer`, who signed an ERC-3009 `ReceiveWithAuthorization` to this contract over the
    /// amount, whose nonce is the hash of the terms. Anyone may bring it, and whoever does can change nothing.
    /// @param validAfter Unix seconds, of the authorization
    /// @param deadline Unix seconds, the authorization's `validBefore`; the token wants an earlier block
    function splitPaymentWithAuthorization(
        PaymentDetails calldata details,
        address payer,
        uint256 validAfter,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice The same with a signature of any length: of a smart wallet (ERC-1271), where the token takes those.
    function splitPaymentWithSignature(
        PaymentDetails calldata details,
        address payer,
        uint256 validAfter,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice Pays with the tokens of `payer`, who has approved Permit2 once and signed its `PermitWitnessTransferFrom` to this
    /// contract over the amount. Nonce and witness are the hash of the terms: anyone may bring it, and whoever does can change nothing.
    /// @param deadline Unix seconds, of the permit; the last second in which the payment may be made
    /// @param signature Of a key, or of a smart wallet (ERC-1271)
    function splitPaymentWithPermit2(
        PaymentDetails calldata details,
        address payer,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice Moves tokens of `payer`, who has approved Permit2 once, to the deposit address that the payer signed for as the
    /// witness of a Permit2 `PermitWitnessTransferFrom` to this contract. Anyone may bring it, and whoever does can change nothing.
    /// @param amount Exactly what the permit is over, in base units of `token`
    /// @param nonce Any that Permit2 has not seen of this payer
    /// @param deadline Unix seconds, of the permit
    function payDepositWithPermit2(
        address token,
        address depositAddress,
        uint256 amount,
        address payer,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice Pays a recipient the shares that the token refused to pay before. Anyone may call.
    function payParked(address token, address recipient) external;
}
